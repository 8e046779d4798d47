/** The one way from the gateway to the shipped node kinds. */
export { kinds, manifestOf } from '#plugins';
