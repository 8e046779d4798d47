export const templates = {
  list: 'Start with',
  find: 'Search templates',
  none: 'No template contains these words.',
  empty: 'An empty canvas',
  emptyHelp: 'Drag node kinds from the palette, or press A.',
  open_one: '{{count}} setting to fill in',
  open_other: '{{count}} settings to fill in',
  title: 'Start with a template',
  insert: 'Insert',
};
