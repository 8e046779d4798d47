/** After a drag: the click that the browser generates would choose or add the element at that position. */
export function swallowClick(): void {
  document.addEventListener('click', stop, { capture: true, once: true });
  // No click comes when press and release lie on different things.
  setTimeout(() => document.removeEventListener('click', stop, true));
}

function stop(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
