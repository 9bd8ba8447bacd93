# The arena, as a user without rights, on a root that may be read-only:
#
#   docker build -f docker/arena.Dockerfile -t bid-euchre-arena .
#
# BASE has Python 3.11, 3.12 or 3.13. BUILD_BASE is the same with the modules venv and ensurepip.
# With PIP_NO_INDEX=1 the packages come from docker/wheels alone, so that no network is needed.
ARG BASE=python:3.11-slim-bookworm
ARG BUILD_BASE=${BASE}

FROM ${BUILD_BASE} AS build
ARG PIP_NO_INDEX=
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_FIND_LINKS=/wheels PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1
WORKDIR /opt/arena
COPY docker/wheels /wheels
COPY requirements/runtime.lock requirements/
# As scripts/setup does it: what is source only is built with the locked setuptools.
RUN python3 -m venv .venv \
    && sed -n '/^setuptools==/,/[^\\]$/p' requirements/runtime.lock >build.lock \
    && .venv/bin/pip install --require-hashes --no-deps -r build.lock \
    && .venv/bin/pip install --require-hashes --no-deps --no-build-isolation --use-pep517 \
        -r requirements/runtime.lock
COPY pyproject.toml README.md LICENSE ./
COPY arena arena
COPY sample_bots/python sample_bots/python
# Byte code is made here: nobody can write it later. Both folders belong to the group 0, so that
# the arena may run as any user of it.
RUN .venv/bin/pip install --no-index --no-deps --no-build-isolation --editable . \
    && .venv/bin/pip uninstall --yes setuptools pip \
    && rm -rf build.lock requirements ./*.egg-info \
    && python3 -m compileall -q --invalidation-mode unchecked-hash . \
    && mkdir -p /volumes/data /volumes/sockets \
    && chmod 0770 /volumes/data \
    && chmod 0775 /volumes/sockets

FROM ${BASE}
COPY --from=build /opt/arena /opt/arena
COPY --from=build --chown=10001:0 /volumes /
ENV PATH=/opt/arena/.venv/bin:$PATH \
    ARENA_DATA=/data \
    LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /data
USER 10001:0
# Alive, not ready: who restarts what is unhealthy must not restart an arena that drains.
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 \
    CMD ["arena", "health", "--alive"]
ENTRYPOINT ["arena"]
CMD ["serve"]
