/** The only import of the shipped node kinds in the gateway. */
export { kinds, manifestOf } from '#plugins';
