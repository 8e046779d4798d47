/** The name used by the model; importing it from there would load all of the model's checks into the page. */
export const EMBEDDED_CONNECTION = 'embedded';
