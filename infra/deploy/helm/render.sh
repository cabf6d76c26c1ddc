#!/usr/bin/env bash
# Renders the chart with the values of each mode, for test/conventions/deploy-helm.test.ts. Requires Helm 3.
set -euo pipefail
cd "$(dirname "$0")"
render() {
  printf '# Chart %s\n' "$(find -L faultline -type f ! -path '*/ci/*' | LC_ALL=C sort | xargs cat | sha256sum | cut -c1-64)"
  helm template faultline faultline --namespace ops --kube-version 1.30 "$@" | sed 's/admin-password: [A-Za-z0-9+=/]*$/admin-password: Z2VuZXJhdGVk/'
}
render > rendered/embedded.yaml
render --values faultline/ci/distributed-values.yaml > rendered/distributed.yaml
