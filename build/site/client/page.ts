import { addCopyButtons } from './copy.ts';
import { startSearch } from './search.ts';

const SCHEME_KEY = 'mantine-color-scheme-value';
const root = document.documentElement;

function isDark(): boolean {
  return (root.dataset['scheme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
}

document.querySelector('#scheme')?.addEventListener('click', () => {
  const next = isDark() ? 'light' : 'dark';
  root.dataset['scheme'] = next;
  localStorage.setItem(SCHEME_KEY, next);
});

const menu = document.querySelector('#menu');
menu?.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});

// The admin UI is only available where it serves these pages, not when they are opened as files.
const home = document.querySelector<HTMLElement>('#home');
if (home !== null) home.hidden = !location.protocol.startsWith('http');

// A table that is wider than the page can be scrolled with the keyboard too.
for (const box of document.querySelectorAll<HTMLElement>('.table')) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}

document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });
addCopyButtons(document);
startSearch(document);
