// Knip names what nobody uses: files, exports, dependencies.
import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'server/cli.ts',
    'server/bin.mjs',
    'main/index.ts',
    'main/preload.ts',
    'main/server-process.ts',
    'main/launch/start.mjs',
    'renderer/main.ts',
    'elements/*/index.ts',
    'server/**/*-worker.ts',
    'test/run.mjs',
    'test/bench/run.ts',
    'test/e2e/**/*.ts',
    'test/electron-binary/**/*.ts',
    'test/crash/**/*.ts',
  ],
  project: ['{server,main,renderer,elements,test}/**/*.{ts,vue,mjs}', '!test/bench/peers/**'],
  // Node is the run time of every script, not an import.
  ignoreDependencies: ['node', 'electron'],
  ignoreExportsUsedInFile: true,
}

export default config
