{{/* The pods of a kind of process. Takes a dictionary: root, kind, values. */}}
{{- define "holdfast.deployment" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "holdfast.name" $root }}-{{ .kind }}
  labels:
    {{- include "holdfast.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .kind }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels:
      {{- include "holdfast.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .kind }}
  template:
    metadata:
      labels:
        {{- include "holdfast.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .kind }}
      annotations:
        # new settings start new pods
        checksum/config: {{ include (print $root.Template.BasePath "/config.yaml") $root | sha256sum }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 30
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      securityContext: {{- include "holdfast.podSecurity" $root | nindent 8 }}
      containers:
        - name: {{ .kind }}
          image: {{ include "holdfast.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [--role, {{ .kind }}]
          {{- include "holdfast.environment" $root | nindent 10 }}
          {{- if eq .kind "web" }}
          ports:
            - { name: http, containerPort: 3000 }
          # a first start makes the database
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 5
            failureThreshold: 60
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            failureThreshold: 6
          {{- else }}
          # a worker serves nothing; holdfast_jobs_oldest_due_seconds of the web processes shows whether work gets done
          livenessProbe:
            exec: { command: [node, -e, "process.kill(1, 0)"] }
            periodSeconds: 30
            timeoutSeconds: 5
          {{- end }}
          securityContext: {{- include "holdfast.containerSecurity" $root | nindent 12 }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts: {{- include "holdfast.mounts" $root | nindent 12 }}
      volumes: {{- include "holdfast.volumes" $root | nindent 8 }}
      {{- include "holdfast.placement" .values | nindent 6 }}
{{- if .values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "holdfast.name" $root }}-{{ .kind }}
  labels: {{- include "holdfast.labels" $root | nindent 4 }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "holdfast.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .kind }}
{{- end }}
{{- end }}
