import { describe, expect, test } from "vitest";
import { discoveredPeers } from "../../../core/config/discovery.ts";
import { aConnector, aNetwork, faultsOf, networkOf } from "./parse.ts";

const [a, b, c] = ["tcp://a:61616", "ssl://b.mq.example:61617", "nio://c:61618"] as const;

describe("N29 a discovery list is as many peers as ActiveMQ makes bridges of it", () => {
  test.for([
    { rule: "masterslave is one peer, whoever of them is up", uri: `masterslave:(${a},${b})`, peers: [[a, b]] },
    { rule: "so is a static list of one failover pair", uri: `static:failover:(${a},${b})?randomize=false`, peers: [[a, b]] },
    {
      rule: "in brackets of its own too",
      uri: `static:(failover:(${a},${b})?maxReconnectAttempts=0)?useExponentialBackOff=false`,
      peers: [[a, b]],
    },
    { rule: "failover alone is one peer", uri: `failover:(${a},${b},${c})`, peers: [[a, b, c]] },
    { rule: "so is failover of one address without brackets", uri: `failover:${a}`, peers: [[a]] },
    { rule: "a static list is a peer for each of its addresses", uri: `static:(${a},${b})`, peers: [[a], [b]] },
    { rule: "beside a failover pair the other address is a second peer", uri: `static:(failover:(${a},${b}),${c})`, peers: [[a, b], [c]] },
    { rule: "line breaks and blanks mean nothing", uri: `masterslave:(${a},\n    ${b})`, peers: [[a, b]] },
    { rule: "nor does a double slash, or the case of the scheme", uri: `MasterSlave://(${a},${b})`, peers: [[a, b]] },
    { rule: "an address is one peer", uri: a, peers: [[a]] },
    { rule: "commas inside an address's options part nothing", uri: `static:(${a}?x=(1,2),${b})`, peers: [[`${a}?x=(1,2)`], [b]] },
    { rule: "an empty list is no peer", uri: "static:()", peers: [] },
    { rule: "multicast finds its peers at run time", uri: "multicast://default?group=fleet", peers: undefined },
    { rule: "so does a scheme that nobody knows", uri: "kube://fleet", peers: undefined },
    { rule: "a list of which one part is found at run time can't be counted", uri: `static:(${a},multicast://default)`, peers: undefined },
    { rule: "nor can a placeholder", uri: "$" + "{site.uri}", peers: undefined },
    { rule: "nor a list that breaks off", uri: `masterslave:(${a},${b}`, peers: undefined },
  ])("N29 $rule", ({ uri, peers }) => {
    expect(discoveredPeers(uri)).toEqual(peers);
  });
});

describe("N29 a connector has one peer, and says it by the id of its broker", () => {
  const at = "brokers.us.networkConnectors.0";
  test.for([
    {
      rule: "a failover pair is one connector",
      connector: { to: undefined, uri: `masterslave:(${a},${b})` },
      says: `\`${at}.to\`: is missing; it must be the id of a broker: the uri names one peer by 2 addresses: write the id of its broker in \`to\``,
    },
    {
      rule: "so is an address",
      connector: { to: undefined, uri: "static:(tcp://b)" },
      says: `\`${at}.to\`: is missing; it must be the id of a broker: the uri names one peer by its address: write the id of its broker in \`to\``,
    },
    {
      rule: "two peers are two connectors",
      connector: { to: undefined, uri: "static:(tcp://a,tcp://b)" },
      says: `\`${at}.to\`: is missing; it must be the id of a broker: the uri names 2 peers: write a connector for each, with the id of its broker in \`to\``,
    },
    {
      rule: "peers that only run time knows are written down",
      connector: { to: undefined, uri: "multicast://default" },
      says: `\`${at}.to\`: is missing; it must be the id of a broker: the uri names no peer that could be read here: write a connector for each, with the id of its broker in \`to\``,
    },
    {
      rule: "a list of our own brokers in `to` is no pair of ours either",
      connector: { to: "masterslave:(eu,ap)" },
      says: `\`${at}.to\` ("masterslave:(eu,ap)"): names one peer by 2 addresses: write the id of its broker in \`to\``,
    },
    {
      rule: "a list without a scheme is no broker",
      connector: { to: "eu,ap" },
      says: `\`${at}.to\` ("eu,ap"): there is no broker "eu,ap"; the brokers are us, eu, ap`,
    },
  ])("N29 $rule", ({ connector, says }) => {
    expect(faultsOf(aConnector(connector))).toEqual([says]);
  });

  test("N29 written so, it is one link with one inbound; under one name it can't be written twice, under two it is warned of", () => {
    const pair = { name: "pair", to: "eu" };
    expect(networkOf(aNetwork({ networkConnectors: [pair] })).connectors.map(({ link, to }) => [link, to])).toEqual([["us:pair", "eu"]]);
    expect(faultsOf(aNetwork({ networkConnectors: [pair, pair] }))).toEqual([
      expect.stringContaining('is a second connector named "pair"'),
    ]);
    const twice = networkOf(aNetwork({ networkConnectors: [pair, { ...pair, name: "standby" }] }));
    expect(twice.warnings).toEqual([{ warning: "parallel-links", from: "us", to: "eu", links: ["us:pair", "us:standby"] }]);
  });
});
