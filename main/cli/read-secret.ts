import type { ReadStream } from 'node:tty';
import { PlainError } from './plain-error.ts';
import { createTypedText } from './typed-text.ts';

const SECRET_BYTES_MAX = 4_096;

/**
 * Reads a password or passphrase: typed without echo if standard input is a terminal, otherwise the first line of
 * standard input. It is never read from the arguments, where other users of the machine could see it.
 */
export async function readSecret(prompt: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  const secret = input.isTTY ? await typed(prompt, input) : await firstLine(input);
  if (secret === '') throw new PlainError(`${prompt} is empty; type it, or send it as one line on standard input`);
  return secret;
}

/**
 * The same for a new secret: typed twice, because it is not shown, and a backup is useless without its passphrase.
 * Throws PlainError if the two differ.
 */
export async function readNewSecret(prompt: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  const secret = await readSecret(prompt, input);
  if (input.isTTY && (await typed(`${prompt}, again`, input)) !== secret)
    throw new PlainError(`${prompt}: the two entries differ; expected the same twice. Nothing was changed`);
  return secret;
}

async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of input) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes(10)) break;
    if (bytes.length > SECRET_BYTES_MAX)
      throw new PlainError(`standard input is too long; expected one line of at most ${SECRET_BYTES_MAX} bytes`);
  }
  return bytes.toString('utf8').split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
}

function typed(prompt: string, input: ReadStream): Promise<string> {
  // Before the prompt: text that is typed or pasted immediately would be echoed.
  input.setRawMode(true);
  process.stderr.write(`${prompt}: `);
  input.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let text = '';
    const typedText = createTypedText();
    const finish = (error?: Error) => {
      input.off('data', take);
      input.setRawMode(false);
      input.pause();
      process.stderr.write('\n');
      if (error) reject(error);
      else resolve(text);
    };
    const take = (chunk: string) => {
      for (const char of typedText(chunk)) {
        if (char === '\r' || char === '\n' || char === '\u0004') return finish();
        if (char === '\u0003') return finish(new PlainError('cancelled'));
        if (char === '\u007f' || char === '\b') text = withoutLast(text);
        else if (char >= ' ' && text.length < SECRET_BYTES_MAX) text += char;
      }
    };
    input.on('data', take);
    input.resume();
  });
}

/** Without the last typed character as users count them: an emoji or an accented letter is one. */
function withoutLast(text: string): string {
  return text.slice(0, [...new Intl.Segmenter().segment(text)].at(-1)?.index ?? 0);
}
