/** The name used by the model; importing it from there would load all checks of the model into the page. */
export const EMBEDDED_CONNECTION = 'embedded';
