/** The folder of the package. */
export const root = new URL('../', import.meta.url)
