/** How long the browser may take to start copying the file. */
const HELD_MS = 60_000;

/** Saves bytes as a file with the browser. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), HELD_MS);
}
