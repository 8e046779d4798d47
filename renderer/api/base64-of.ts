/** Characters that one call of String.fromCodePoint takes. */
const SLICE = 8_192;

/** The bytes of a file as the admin API takes them within JSON. */
export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCodePoint(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}
