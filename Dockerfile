# syntax=docker/dockerfile:1
# `edgeproof serve` with its data in the volume /data. docs/clients.md shows how to run it.

FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --pack-destination /source
RUN npm install --prefix /app --no-audit --no-fund --install-links /source/edgeproof-*.tgz kysely@0.28.18 libsql@0.5.29 pg@8.23.1 @nats-io/transport-node@3.3.1 @nats-io/jetstream@3.3.1 prom-client@15.1.3 aws4fetch@1.0.20

FROM node:24-slim
ENV NODE_ENV=production
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["node", "--eval", "fetch('http://127.0.0.1:8787/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/edgeproof/dist/cli/main.js", "serve", "--host", "0.0.0.0", "--data", "/data/edge.db"]
