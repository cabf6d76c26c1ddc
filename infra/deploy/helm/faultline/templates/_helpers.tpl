{{- define "faultline.name" -}}
{{- $name := printf "%s-faultline" .Release.Name -}}
{{- if contains "faultline" .Release.Name }}{{ $name = .Release.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "faultline.selector" -}}
app.kubernetes.io/name: faultline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "faultline.labels" -}}
{{ include "faultline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "faultline.secret" -}}
{{- .Values.admin.existingSecret | default (include "faultline.name" .) -}}
{{- end -}}

{{/* Spec of a pod. Expects root, role (all, api or worker) and resources. */}}
{{- define "faultline.pod" -}}
{{- $values := .root.Values -}}
{{- $asks := ne .role "worker" -}}
serviceAccountName: {{ include "faultline.name" .root }}
automountServiceAccountToken: {{ $values.readCluster }}
# Else Kubernetes would set FAULTLINE_PORT and others, and unknown names prevent the start.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add $values.stopDelay 55 }}
{{- with $values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: faultline
    image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    ports:
      - { name: http, containerPort: 8080 }
    env:
      - { name: FAULTLINE_MODE, value: {{ $values.mode }} }
      - { name: FAULTLINE_ROLE, value: {{ .role }} }
      - { name: FAULTLINE_STOP_DELAY, value: {{ $values.stopDelay | quote }} }
      {{- if eq $values.mode "embedded" }}
      # A directory of its own: the top of the volume is writable for its group.
      - { name: FAULTLINE_DATA, value: /data/faultline }
      {{- else }}
      - { name: KAFKA_BROKERS, value: {{ $values.engines.kafkaBrokers | quote }} }
      - { name: SCHEMA_REGISTRY_URL, value: {{ $values.engines.schemaRegistryUrl | quote }} }
      - { name: ELASTICSEARCH_URL, value: {{ $values.engines.elasticsearchUrl | quote }} }
      - { name: NEO4J_URL, value: {{ $values.engines.neo4jUrl | quote }} }
      {{- end }}
      {{- if $asks }}
      - { name: FAULTLINE_ADMIN_PASSWORD_FILE, value: /run/secrets/faultline/admin-password }
      {{- else }}
      - { name: FAULTLINE_PROCESSORS, value: {{ $values.worker.processors | quote }} }
      {{- end }}
      - { name: FAULTLINE_PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
      - { name: FAULTLINE_TRUST_PROXY, value: {{ $values.trustProxy | quote }} }
      {{- range $name, $value := $values.env }}
      - { name: {{ $name }}, value: {{ $value | toString | quote }} }
      {{- end }}
    {{- with $values.envFromSecret }}
    envFrom:
      - secretRef: { name: {{ . }} }
    {{- end }}
    # Five minutes for a start.
    startupProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 2
      timeoutSeconds: 5
      failureThreshold: 150
    livenessProbe:
      httpGet: { path: /livez, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 2
    resources: {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: data, mountPath: /data }
      {{- if $asks }}
      - { name: secrets, mountPath: /run/secrets/faultline, readOnly: true }
      {{- end }}
{{- if or $asks (ne $values.mode "embedded") }}
volumes:
  {{- if ne $values.mode "embedded" }}
  - { name: data, emptyDir: {} }
  {{- end }}
  {{- if $asks }}
  - name: secrets
    secret:
      secretName: {{ include "faultline.secret" .root }}
      items: [{ key: admin-password, path: admin-password }]
  {{- end }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
