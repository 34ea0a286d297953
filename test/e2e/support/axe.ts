// The violations that axe finds on the current page.
import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Rule, element and reason of each violation.
 * @param tags Only rules with one of these tags; all rules if omitted.
 */
export async function violations(page: Page, tags?: string[]): Promise<string[]> {
  // Loads axe once per document, because reading its half a megabyte takes a third as long as a run.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  const results = await page.evaluate(async (only) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe }
    return (await loaded.run({ resultTypes: ['violations'], ...(only && { runOnly: only }) })).violations
  }, tags)
  return results.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary?.replaceAll('\n', ' ') ?? ''}`,
    ),
  )
}
