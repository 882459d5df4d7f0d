/** Chromium alone tells whether somebody wants to save data, and the package of types does not know it. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean }
}
