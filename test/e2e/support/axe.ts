// The violations that axe finds on the current page.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Rule, element and reason of each violation. */
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary?.replaceAll('\n', ' ') ?? ''}`,
    ),
  )
}
