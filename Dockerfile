# Vitrine in a container. Build: docker build -t vitrine .   Run: see compose.yaml.

# The client, built with everything installed, and the server, compiled where it will lie.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /app
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY src src
COPY client client
RUN bun run build

# What the server needs at run time.
FROM oven/bun:1.4.5-debian AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --production

# Offline text recognition: one folder with a file per language. Mount another over /ocr for other languages.
FROM oven/bun:1.4.5-debian AS ocr
WORKDIR /ocr
RUN bun add --exact @tesseract.js-data/eng@1.0.0 @tesseract.js-data/fra@1.0.0 @tesseract.js-data/jpn@1.0.0 \
      @tesseract.js-data/jpn_vert@1.0.0 @tesseract.js-data/kor@1.0.0 @tesseract.js-data/chi_sim@1.0.0 @tesseract.js-data/chi_tra@1.0.0 \
  && mkdir data \
  && cp node_modules/@tesseract.js-data/*/4.0.0_best_int/*.traineddata.gz data/

FROM oven/bun:1.4.5-debian
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/client/dist client/dist
COPY --from=build /app/dist dist
COPY --from=ocr /ocr/data /ocr
COPY package.json tsconfig.json LICENSE ./
COPY drizzle drizzle
COPY src src
# The image's own user, 1000:1000. Libraries need no more than read access, except for uploads and deleting.
RUN mkdir -p /data /media && chown bun:bun /data
# VITRINE_CONTAINER lets libraries lie below /media alone; src/main.ts tells of VITRINE_COMPILED, src/runtime-settings.ts of the last two.
ENV VITRINE_CONTAINER=1 VITRINE_COMPILED=1 NODE_ENV=production DATA_DIR=/data OCR_DATA_DIR=/ocr HOST=0.0.0.0 PORT=3000 UV_THREADPOOL_SIZE=64 \
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp=10000000
USER bun
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["bun", "src/health-check.ts"]
# The program itself, not a script around it, so that the stop signal reaches it.
CMD ["bun", "src/main.ts"]
