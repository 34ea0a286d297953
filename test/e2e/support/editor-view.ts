// The form of a component opens alone; a test of form and text in step selects both first, as a user would.
import type { Page } from '@playwright/test'

/** Form and JSON side by side for these users, in the page and in every page of its context from now on. */
export async function chooseFormAndJson(page: Page, ...users: string[]): Promise<void> {
  const places = (users.length > 0 ? users : ['admin']).map((user) => `almanac.layout.${user}`)
  await page.context().addInitScript(choose, places)
  await page.evaluate(choose, places)
}

function choose(places: string[]): void {
  if (!location.protocol.startsWith('http')) return
  for (const place of places) localStorage.setItem(place, localStorage.getItem(place) ?? 'both')
}
