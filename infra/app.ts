import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { buildNetwork } from "./build-network.ts";
import { loadNetwork } from "./network-file.ts";
import { NetworkError } from "./read-network.ts";

const app = new App();
try {
  buildNetwork(app, await loadNetwork(process.cwd(), app.node.tryGetContext("network")));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (error) {
  if (!(error instanceof NetworkError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1); // before the app synthesises at exit
}
