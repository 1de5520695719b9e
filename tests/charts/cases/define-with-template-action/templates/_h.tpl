{{- define "l.affinity" }}
  {{- if .Values.x }}
  sessionAffinity: ClientIP
  {{- end }}
{{- end -}}
