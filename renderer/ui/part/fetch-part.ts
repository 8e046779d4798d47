import { answered, answers } from '#api/answers.ts';

/**
 * The code of a part cannot be loaded although Sluice responds: it belongs to a version that is no longer installed.
 */
export class PartGone extends Error {
  constructor(cause: unknown) {
    super('A part of this page cannot be fetched, though Sluice answers. Expected its file under /assets.', { cause });
    this.name = 'PartGone';
  }
}

/** Sluice may have become available between the failure and the check whether it responds. */
const TRIES_MAX = 2;

/**
 * The import of `load`, as soon as Sluice responds. Throws only `PartGone`. It checks for a response before it imports:
 * older browsers keep a failed import until the page is reloaded (whatwg/html#6768); Chromium 156 does not.
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
 * Removes a style sheet that failed to load: Vite's preloading treats an existing one as loaded, and a part that is
 * fetched again would be without its styles.
 */
export function dropFailedLinks(page: Document): void {
  const drop = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement) target.remove();
  };
  page.addEventListener('error', drop, { capture: true });
}
