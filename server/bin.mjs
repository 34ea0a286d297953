#!/usr/bin/env node
// The package's command. Plain JavaScript, so that an old version of Node can at least report what it needs.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const name = process.platform === 'win32' ? 'node.exe' : 'node'
const installed = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url))

if (major > 22 || (major === 22 && minor >= 18)) {
  // Caches stripped and compiled sources, which halves the start time of a command.
  module.enableCompileCache?.()
  await import('./cli.ts')
} else if (existsSync(installed)) {
  const self = fileURLToPath(import.meta.url)
  const child = spawn(installed, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
} else {
  process.stderr.write(
    `almanac needs Node 22.18 or newer; this is ${process.versions.node}. ` +
      'Run "npm install" in the checkout, which includes Node 24, or install Node 24.\n',
  )
  process.exit(1)
}
