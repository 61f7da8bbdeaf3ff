# SPDX-License-Identifier: Apache-2.0
# The two commands of the README on a bare Debian 12.
#   docker build -t flitmend .                          scripts/run: the program, and one simulation as a check
#   docker run --rm flitmend check examples/mesh.yaml   any command of flitmend
#   docker run --rm -v "$PWD/out:/flitmend/out" flitmend run examples/mesh.yaml --out out/mesh
#   docker build --target test -t flitmend-test .       scripts/test: what every change must pass
FROM debian:12 AS run
WORKDIR /flitmend
COPY . .
RUN scripts/run --quiet && rm -rf /var/lib/apt/lists/*
ENV PATH=/flitmend/build/release:$PATH
ENTRYPOINT ["flitmend"]
CMD ["--help"]

FROM run AS test
RUN scripts/test

# Without --target, the first stage.
FROM run
