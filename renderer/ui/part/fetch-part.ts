import { answered, answers } from '#api/answers.ts';

/** The code of a part cannot be had though Sluice answers: it belongs to a version that is no longer installed. */
export class PartGone extends Error {
  constructor(cause: unknown) {
    super('A part of this page cannot be fetched, though Sluice answers. Expected its file under /assets.', { cause });
    this.name = 'PartGone';
  }
}

/** Sluice may have come back between a failure and the question whether it answers. */
const TRIES_MAX = 2;

/**
 * What `load` imports, as soon as Sluice answers. Throws `PartGone` and nothing else. It asks before it imports:
 * older browsers keep an import that failed until the page is read anew (whatwg/html#6768); Chromium 156 does not.
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failed = 0; ;) {
    await answered();
    try {
      return await load();
    } catch (cause) {
      if ((await answers()) && ++failed === TRIES_MAX) throw new PartGone(cause);
    }
  }
}

/**
 * A style sheet that did not come leaves the page: Vite's preloading takes one that stands there for read, and a part
 * that is fetched again would be without its styles.
 */
export function dropFailedLinks(page: Document): void {
  const drop = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement) target.remove();
  };
  page.addEventListener('error', drop, { capture: true });
}
