/** Characters per call of String.fromCodePoint. */
const SLICE = 8_192;

/** The bytes of a file in the form that the admin API accepts within JSON. */
export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCodePoint(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}
