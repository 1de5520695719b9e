# A container image that holds one static program: a filter, a KRM function, and the other commands of unstick.
#
#   docker build --tag unstick .
#   helm template my-chart | docker run --rm --interactive unstick > manifests.yaml

FROM rust:1.89.0-alpine3.22 AS build
# hadolint ignore=DL3018
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package unstick-cli
# Hosts run functions with `--user nobody`, a name that has to be known in the image.
RUN printf '%s\n' 'root:x:0:0::/:' 'nobody:x:65534:65534::/:' 'nonroot:x:65532:65532::/:' > /passwd

FROM scratch
COPY --from=build /passwd /etc/passwd
COPY --from=build /src/target/release/unstick /usr/local/bin/unstick
USER nonroot
ENTRYPOINT ["/usr/local/bin/unstick"]
