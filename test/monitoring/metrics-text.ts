/** The content of a scrape, and the metrics that monitoring files use. */

/** Names of series, with the suffixes of histograms: `sluice_route_duration_seconds_bucket`. */
export function seriesNames(scrape: string): Set<string> {
  const lines = scrape.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Set(lines.map((line) => line.replace(/[{ ].*$/, '')));
}

/** Names of Sluice's series in a text, such as a rule or a dashboard. */
export function namesAsked(text: string): string[] {
  const found = text.matchAll(/\bsluice_[a-z0-9_]+\b(?=[{ )[\\]|$)/gm);
  return [...new Set([...found].map(([name]) => name))].toSorted();
}

/** Labels that a scrape has for a series: its label names. */
export function labelNames(scrape: string, name: string): Set<string> {
  const line = scrape.split('\n').find((one) => one.startsWith(`${name}{`)) ?? '';
  return new Set([...line.matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label));
}
