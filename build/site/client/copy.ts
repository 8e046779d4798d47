const SHOWN_MS = 2000;

/**
 * A button on each block of code. If the clipboard is not available, the code is selected so that it can be copied
 * manually.
 */
export function addCopyButtons(page: Document): void {
  for (const block of page.querySelectorAll<HTMLElement>('main pre')) {
    const frame = page.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = page.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    frame.append(block, button);
  }
}

async function copy(block: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(block.innerText);
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(block);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}
