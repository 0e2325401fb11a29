{{- define "holdfast.name" -}}
{{- if contains "holdfast" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-holdfast" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "holdfast.labels" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "holdfast.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "holdfast.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The settings of each process of Holdfast. */}}
{{- define "holdfast.environment" -}}
envFrom:
  - configMapRef: { name: {{ include "holdfast.name" . }} }
  - secretRef: { name: {{ .Values.secrets.existingSecret }} }
{{- if .Values.database.bundled.enabled }}
env:
  - name: POSTGRES_PASSWORD
    valueFrom: { secretKeyRef: { name: {{ .Values.database.bundled.existingSecret }}, key: POSTGRES_PASSWORD } }
  - name: DATABASE_URL
    value: postgres://holdfast:$(POSTGRES_PASSWORD)@{{ include "holdfast.name" . }}-postgres:5432/holdfast
{{- end }}
{{- end }}

{{/* A volume for backups, and room for files of the moment. */}}
{{- define "holdfast.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if .Values.backups.enabled }}
- { name: backups, mountPath: /backups }
{{- end }}
{{- end }}

{{- define "holdfast.volumes" -}}
- { name: tmp, emptyDir: {} }
- { name: data, emptyDir: {} }
{{- if .Values.backups.enabled }}
- name: backups
  persistentVolumeClaim:
    claimName: {{ .Values.backups.existingClaim | default (printf "%s-backups" (include "holdfast.name" .)) }}
{{- end }}
{{- end }}

{{/* Where the pods of a kind of process run. */}}
{{- define "holdfast.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
