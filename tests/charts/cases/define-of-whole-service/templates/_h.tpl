{{- define "m.service" -}}
{{- $ := index . 0 -}}
{{- $component := index . 1 -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ $component }}
spec:
  type: ClusterIP
  {{ if gt (int64 $.Values.n) 1 }}sessionAffinity: ClientIP{{ end }}
  ports: []
{{- end -}}