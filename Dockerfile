# baco's package, built and installed in Debian 12.
#
#   docker build -t baco .
#   docker run --rm -it -v "$PWD:/work" -w /work baco baco-tune-driver kernel.mlir
#
# Times are of the CPUs that the container has: give it whole ones
# (--cpuset-cpus=2,3), not a share of their time, and ask `baco doctor`.

FROM debian:bookworm-slim AS build
COPY . /source
WORKDIR /source
RUN scripts/setup.sh --package
RUN cmake --preset release -DBACO_ENABLE_TESTS=OFF -DBACO_ENABLE_BENCHMARKS=OFF \
 && cmake --build --preset release \
 && cd build/release && cpack -G DEB && mv baco_*.deb /baco.deb

FROM debian:bookworm-slim
COPY --from=build /baco.deb /
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /baco.deb \
 && rm -rf /baco.deb /var/lib/apt/lists/*
CMD ["bash"]
