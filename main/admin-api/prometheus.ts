/** Prometheus text format 0.0.4. */
export type Labels = Record<string, string>;
export type Sample = [labels: Labels, value: number];

export function metric(name: string, type: 'gauge' | 'counter', help: string, samples: Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  ];
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
