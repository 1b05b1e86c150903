# The service in a container, built from its source; a release has a smaller image (docs/RELEASE.md):
# `docker build -t roundtable . && docker run -p 3000:3000 -v roundtable:/data -e
# PUBLIC_URL=https://collaboration.example.com roundtable` (docs/SERVER.md). Deployments to AWS need no
# image (docs/DEPLOY.md). The console is for users of the machine only: it is served where the container
# listens on the loopback of its host, `docker run --network host -e HOST=127.0.0.1 …` (README.md).
FROM rust:1-slim-trixie AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package roundtable

FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /data roundtable && chmod 700 /data
COPY --from=build /source/target/release/roundtable /usr/local/bin/roundtable
USER roundtable
VOLUME /data
EXPOSE 3000
# Calls and work under way are finished.
STOPSIGNAL SIGTERM
ENV HOST=0.0.0.0 DATA_DIR=/data
HEALTHCHECK CMD ["roundtable", "health"]
ENTRYPOINT ["roundtable"]
