/** Colours of tag categories. Each is seen on the dark and on the light background (3:1 at least). */

export const CATEGORY_COLORS = ['#3f7fd9', '#d9534f', '#2f9461', '#b7791f', '#9061d6', '#d14d94', '#1f94a3', '#7a8496'] as const

/** A category without a colour of its own gets the same one everywhere, by its id. */
export const categoryColor = (category: { id: number; color: string | null }): string =>
  category.color ?? CATEGORY_COLORS[category.id % CATEGORY_COLORS.length] ?? CATEGORY_COLORS[0]
