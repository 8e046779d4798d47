/**
 * Runs in the head, before the page is painted: the scheme that was chosen in the admin UI counts here too. Both are of
 * one origin and use the key of Mantine, the UI's library.
 */
const chosen = localStorage.getItem('mantine-color-scheme-value');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['scheme'] = chosen;
