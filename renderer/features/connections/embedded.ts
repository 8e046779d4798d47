/** As the model names it; the model's file would bring all of its checks into the page. */
export const EMBEDDED_CONNECTION = 'embedded';
