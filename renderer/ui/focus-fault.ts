/**
 * If a form is refused, by the UI immediately or by the admin API later, the focus moves to its first invalid field,
 * which may be out of view, so that the user continues there and not at the button. A refusal without a field leaves
 * the focus unchanged. Buttons other than submit buttons use `data-asks`.
 */
export function focusFirstFault(page: Document, requests: Requests): void {
  let asked: Asked | null = null;
  const forget = () => {
    asked?.watch.disconnect();
    asked = null;
  };
  const settle = () => {
    if (asked === null) return;
    const { part, button } = asked;
    if (!part.isConnected) return forget();
    // The current message is from the previous attempt. The page may not show yet that a request has begun.
    if (requests.isRunning() || button?.hasAttribute('disabled') === true) return;
    const field = firstFault(part);
    if (field === undefined || isElsewhere(page, asked)) return;
    forget();
    field.focus();
  };
  const begin = (part: Element | null, button: HTMLElement | null) => {
    forget();
    if (part === null) return;
    const watch = new MutationObserver(settle);
    watch.observe(part, { subtree: true, childList: true, attributeFilter: ['aria-invalid', 'disabled'] });
    asked = { part, button, watch };
    // Faults that were already there change nothing.
    whenShown(settle);
  };
  // A further action of the user keeps the focus where it is.
  const act = ({ target }: Event) => {
    if (target instanceof Node && asked?.part.contains(target) === true) forget();
  };
  // An answer with the same faults may change nothing of the page.
  requests.onChange(() => {
    if (asked !== null) whenShown(settle);
  });
  for (const one of ['keydown', 'pointerdown', 'input']) page.addEventListener(one, act, { capture: true });
  page.addEventListener('submit', ({ target, submitter }) => {
    if (target instanceof HTMLElement) begin(partOf(target), submitter);
  });
  page.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-asks]') : null;
    if (button !== null) begin(partOf(button), button);
  });
}

/** Requests of forms. */
export interface Requests {
  isRunning(): boolean;
  /** A request has begun or ended. */
  onChange(listener: () => void): void;
}

/** A pending change of the page is rendered by the second frame. */
const whenShown = (then: () => void) => requestAnimationFrame(() => requestAnimationFrame(then));

interface Asked {
  readonly part: Element;
  readonly button: HTMLElement | null;
  readonly watch: MutationObserver;
}

/** The buttons of a dialog are outside its form. */
const partOf = (one: Element) => one.closest('[role=dialog]') ?? one.closest('form');

/** Code and lists have no field that could be marked: their errors are shown on or below them. */
const fieldBeside = (one: HTMLElement) =>
  (one.hasAttribute('data-fault') ? one.parentElement : one)?.querySelector<HTMLElement>(FIELDS);
const FIELDS = 'input, textarea, select, [contenteditable=true], button';

function firstFault(part: Element): HTMLElement | undefined {
  return [...part.querySelectorAll<HTMLElement>('[aria-invalid=true], [data-fault], [data-faulty=true]')]
    .map((one) => (one.ariaInvalid === 'true' ? one : fieldBeside(one)))
    .find((one): one is HTMLElement => one?.checkVisibility() === true);
}

/** Whether the focus has moved elsewhere. A dialog that closes after the response does not keep it. */
function isElsewhere({ activeElement, body }: Document, { part, button }: Asked): boolean {
  return ![null, body, button].includes(activeElement as HTMLElement | null) && !part.contains(activeElement);
}
