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
  /** By the ID of the template: a plain title, and its effect in one line. */
  texts: {
    'accept-orders': {
      title: 'Accept orders',
      about: 'A keyed route that checks its JSON and answers 201, or 400 with the errors.',
    },
    'read-tags': {
      title: 'Read tags over HTTP',
      about: 'Returns the current value, quality and time of a tag as JSON.',
    },
    'write-tag': {
      title: 'Write a tag with validation',
      about: 'Checks a number and writes it to a tag; 400 for a bad value, 503 if the source refuses it.',
    },
    'store-measurement': {
      title: 'Store measurements in a database',
      about: 'Checks a weight and inserts it into a table of the embedded database.',
    },
    'recipe-by-id': {
      title: 'Look up a recipe by ID',
      about: 'Runs a named query with the ID from the path; 404 if there is no row.',
    },
    'forward-events': {
      title: 'Forward events with store and forward',
      about: 'Sends each event to an MES. While it is down, events are kept on disk and answered 202.',
    },
    'two-targets': {
      title: 'Send a request to two targets',
      about: 'Stores each request for two systems, one after the other, and answers 202.',
    },
    'record-values': {
      title: 'Record a value every minute',
      about: 'A timer reads a tag and writes it to a tag with history, which the historian records.',
    },
    'tag-change-call': {
      title: 'Call the MES when a tag changes',
      about: 'Sends tag, value and time of each change; kept on disk while the MES is down.',
    },
    'drop-file': {
      title: 'Drop requests as files',
      about: 'Writes the body of each request to a separate JSON file in the workspace.',
    },
    'serve-files': {
      title: 'Serve files by name',
      about: 'Returns a JSON file of the workspace by its name in the path; 404 if there is none.',
    },
    'count-calls': {
      title: 'Count with a variable',
      about: 'Adds 1 to a variable with each call and returns the count.',
    },
    webhook: {
      title: 'Receive a webhook with a token',
      about: 'A route without an API key that compares a header with a variable; 401 if they differ.',
    },
    'script-call': {
      title: 'Call a library script',
      about: 'Passes the body of the request to a script of the project and returns its result.',
    },
  },
};
