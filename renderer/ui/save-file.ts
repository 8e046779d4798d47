/** How long the browser may take to begin to copy a file that was handed to it. */
const HELD_MS = 60_000;

/** Hands bytes to the browser as a file to keep. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), HELD_MS);
}
