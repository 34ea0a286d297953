// Writes the generated pages: npm run docs.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pagePaths, pageText } from './pages.ts'

for (const path of pagePaths) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const text = await pageText(path)
  const changed = (() => {
    try {
      return readFileSync(file, 'utf8') !== text
    } catch {
      return true
    }
  })()
  if (changed) writeFileSync(file, text)
  process.stdout.write(`${path}: ${changed ? 'written' : 'unchanged'}\n`)
}
