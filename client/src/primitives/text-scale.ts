/** How much larger than usual somebody's browser makes text (1 at 16 pixels): our own text and space follow it by `rem`, what is reckoned in pixels by this. */
export const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
