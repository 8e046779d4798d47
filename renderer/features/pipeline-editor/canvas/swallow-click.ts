/** After a drag: the click that the browser generates would select or add the element at that position. */
export function swallowClick(): void {
  document.addEventListener('click', stop, { capture: true, once: true });
  // There is no click if press and release are on different elements.
  setTimeout(() => document.removeEventListener('click', stop, true));
}

function stop(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
