import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const version = "1.5.33";
const home = join(import.meta.dirname, "../../../.cache", `ministack-${version}`);
const run = promisify(execFile);

/** Version of the `python3` that is found first; none where there is none that runs. */
export const pythonVersion = async (): Promise<string | undefined> => {
  try {
    const { stdout } = await run("python3", ["-c", "import platform; print(platform.python_version())"]);
    return stdout.trim();
  } catch {
    return undefined;
  }
};

/** MiniStack's command, in a virtual environment that is made once and kept below .cache. The first time it comes from PyPI. */
export const installMiniStack = async (): Promise<string> => {
  const command = join(home, "bin", "ministack");
  if (existsSync(command)) return command;
  await rm(home, { recursive: true, force: true }); // an installation that broke off has no command yet
  await mkdir(home, { recursive: true });
  try {
    await run("python3", ["-m", "venv", home]);
    await run(join(home, "bin", "python3"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `ministack==${version}`]);
  } catch (cause) {
    const said = (cause as { readonly stderr?: string }).stderr?.trim().split("\n").at(-1) || String(cause);
    throw new Error(`MiniStack ${version} can't be installed in .cache (python3 -m venv, then pip, which asks PyPI): ${said}`, { cause });
  }
  return command;
};
