/**
 * Runs in the head, before the page is painted, and applies the colour scheme that was chosen in the admin UI. Both have
 * the same origin; the key is that of Mantine, the UI library.
 */
const chosen = localStorage.getItem('mantine-color-scheme-value');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['scheme'] = chosen;
