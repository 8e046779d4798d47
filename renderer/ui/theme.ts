import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type VariantColorsResolver,
} from '@mantine/core';

/** Ten shades around the accent; 8 is `--a-fill` in light and 3 in dark. */
const PETROL = [
  '#E9F2F5',
  '#D5E2E7',
  '#B6DBE7',
  '#9CCBDB',
  '#7FB4C6',
  '#5E9AAE',
  '#3F7E93',
  '#2B6376',
  '#1C4D5D',
  '#143C49',
] as const;

const BUTTON_COLOURS = {
  filled: {
    background: 'var(--a-fill)',
    hover: 'var(--a-fill-h)',
    color: 'var(--a-on)',
    border: '1px solid var(--a-fill)',
  },
  default: {
    background: 'var(--s-raised)',
    hover: 'var(--s-hover)',
    color: 'var(--t-1)',
    border: '1px solid var(--b-2)',
  },
  subtle: {
    background: 'transparent',
    hover: 'var(--s-hover)',
    color: 'var(--a-text)',
    border: '1px solid transparent',
  },
  danger: {
    background: 'var(--alarm)',
    // Darker in both schemes: the edge colour of dark mode is too light for white text.
    hover: 'color-mix(in srgb, var(--alarm) 88%, black)',
    color: 'var(--alarm-on)',
    border: '1px solid var(--alarm)',
  },
} as const;

const variantColorResolver: VariantColorsResolver = (input) => {
  const own = Object.entries(BUTTON_COLOURS).find(([variant]) => variant === input.variant);
  return own ? own[1] : defaultVariantColorsResolver(input);
};

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '14px', sm: '15px', md: '16px', lg: '18px', xl: '22px' },
  lineHeights: { xs: '20px', sm: '22px', md: '24px', lg: '26px', xl: '28px' },
  colors: { petrol: PETROL },
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  defaultRadius: 4,
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { variant: 'default' },
      vars: () => ({ root: { '--button-height': '44px', '--button-padding-x': '16px' } }),
    },
    Modal: {
      defaultProps: {
        centered: true,
        size: 680,
        padding: 0,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.5 },
      },
    },
    Menu: {
      defaultProps: {
        shadow: undefined,
        position: 'bottom-end',
        withinPortal: true,
        transitionProps: { duration: 120 },
      },
    },
  },
});

/** Maps Mantine's own variables to the design tokens; the same for both schemes, because each token has both values. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const mapped = {
    '--mantine-color-body': 'var(--s-page)',
    '--mantine-color-text': 'var(--t-1)',
    '--mantine-color-dimmed': 'var(--t-3)',
    '--mantine-color-default': 'var(--s-raised)',
    '--mantine-color-default-hover': 'var(--s-hover)',
    '--mantine-color-default-color': 'var(--t-1)',
    '--mantine-color-default-border': 'var(--b-2)',
    '--mantine-color-error': 'var(--alarm-t)',
    '--mantine-color-placeholder': 'var(--t-3)',
    '--mantine-color-anchor': 'var(--a-text)',
    '--mantine-color-disabled': 'transparent',
    '--mantine-color-disabled-color': 'var(--t-off)',
    '--mantine-color-disabled-border': 'var(--b-1)',
    '--mantine-primary-color-filled': 'var(--a-fill)',
    '--mantine-primary-color-filled-hover': 'var(--a-fill-h)',
    '--mantine-primary-color-contrast': 'var(--a-on)',
  };
  return { variables: {}, light: mapped, dark: mapped };
};
