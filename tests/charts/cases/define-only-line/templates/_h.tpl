{{- define "i.affinity" -}}
sessionAffinity: {{ .Values.s | default "None" }}
{{- end -}}
