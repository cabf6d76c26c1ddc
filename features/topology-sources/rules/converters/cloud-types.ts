/** CI types by types of resources in clouds. */
import { words } from '#features/transfer/rules/foreign-types.ts';

export const TERRAFORM_TYPES = words({
  virtual_machine:
    'aws_instance azurerm_linux_virtual_machine azurerm_windows_virtual_machine azurerm_virtual_machine google_compute_instance vsphere_virtual_machine openstack_compute_instance_v2 proxmox_vm_qemu proxmox_virtual_environment_vm hcloud_server digitalocean_droplet linode_instance libvirt_domain oci_core_instance',
  database:
    'aws_db_instance aws_rds_cluster aws_rds_cluster_instance aws_dynamodb_table aws_redshift_cluster aws_docdb_cluster aws_neptune_cluster azurerm_postgresql_flexible_server azurerm_mysql_flexible_server azurerm_mssql_server azurerm_mssql_database azurerm_cosmosdb_account google_sql_database_instance google_spanner_instance google_bigtable_instance digitalocean_database_cluster',
  cache: 'aws_elasticache_cluster aws_elasticache_replication_group azurerm_redis_cache google_redis_instance',
  search: 'aws_opensearch_domain aws_elasticsearch_domain azurerm_search_service',
  load_balancer:
    'aws_lb aws_alb aws_elb azurerm_lb azurerm_application_gateway google_compute_forwarding_rule google_compute_global_forwarding_rule hcloud_load_balancer digitalocean_loadbalancer',
  target_group: 'aws_lb_target_group aws_alb_target_group google_compute_backend_service',
  function:
    'aws_lambda_function azurerm_linux_function_app azurerm_windows_function_app google_cloudfunctions_function google_cloudfunctions2_function',
  service: 'aws_ecs_service google_cloud_run_service google_cloud_run_v2_service azurerm_container_app',
  application: 'azurerm_linux_web_app azurerm_windows_web_app aws_elastic_beanstalk_environment',
  service_plan: 'azurerm_service_plan',
  cluster: 'aws_ecs_cluster',
  kubernetes_cluster:
    'aws_eks_cluster azurerm_kubernetes_cluster google_container_cluster digitalocean_kubernetes_cluster',
  node_pool:
    'aws_eks_node_group azurerm_kubernetes_cluster_node_pool google_container_node_pool aws_autoscaling_group azurerm_linux_virtual_machine_scale_set',
  queue: 'aws_sqs_queue aws_mq_broker azurerm_servicebus_namespace google_pubsub_subscription',
  topic: 'aws_sns_topic google_pubsub_topic',
  stream: 'aws_kinesis_stream aws_msk_cluster azurerm_eventhub_namespace',
  storage: 'aws_s3_bucket aws_efs_file_system azurerm_storage_account google_storage_bucket',
  volume: 'aws_ebs_volume azurerm_managed_disk google_compute_disk hcloud_volume',
  network: 'aws_vpc azurerm_virtual_network google_compute_network openstack_networking_network_v2 hcloud_network',
  subnet: 'aws_subnet azurerm_subnet google_compute_subnetwork openstack_networking_subnet_v2',
  gateway:
    'aws_nat_gateway aws_vpn_gateway aws_ec2_transit_gateway azurerm_nat_gateway azurerm_virtual_network_gateway google_compute_router',
  firewall: 'azurerm_firewall aws_networkfirewall_firewall',
  api_gateway: 'aws_api_gateway_rest_api aws_apigatewayv2_api azurerm_api_management',
  cdn: 'aws_cloudfront_distribution azurerm_cdn_frontdoor_profile',
});

export const AWS_TYPES = words({
  virtual_machine: 'AWS::EC2::Instance',
  database:
    'AWS::RDS::DBInstance AWS::RDS::DBCluster AWS::DynamoDB::Table AWS::Redshift::Cluster AWS::DocDB::DBCluster AWS::Neptune::DBCluster',
  cache: 'AWS::ElastiCache::CacheCluster AWS::ElastiCache::ReplicationGroup',
  search: 'AWS::OpenSearch::Domain AWS::Elasticsearch::Domain',
  load_balancer: 'AWS::ElasticLoadBalancingV2::LoadBalancer AWS::ElasticLoadBalancing::LoadBalancer',
  function: 'AWS::Lambda::Function',
  service: 'AWS::ECS::Service',
  application: 'AWS::ElasticBeanstalk::Environment',
  cluster: 'AWS::ECS::Cluster',
  kubernetes_cluster: 'AWS::EKS::Cluster',
  node_pool: 'AWS::AutoScaling::AutoScalingGroup AWS::EKS::Nodegroup',
  queue: 'AWS::SQS::Queue AWS::AmazonMQ::Broker',
  topic: 'AWS::SNS::Topic',
  stream: 'AWS::Kinesis::Stream AWS::MSK::Cluster',
  storage: 'AWS::S3::Bucket AWS::EFS::FileSystem',
  volume: 'AWS::EC2::Volume',
  network: 'AWS::EC2::VPC',
  subnet: 'AWS::EC2::Subnet',
  gateway: 'AWS::EC2::NatGateway AWS::EC2::VPNGateway AWS::EC2::TransitGateway',
  firewall: 'AWS::NetworkFirewall::Firewall',
  api_gateway: 'AWS::ApiGateway::RestApi AWS::ApiGatewayV2::Api',
  cdn: 'AWS::CloudFront::Distribution',
});

/** Types of Azure, in lower case as Resource Graph returns them. */
export const AZURE_TYPES = words({
  virtual_machine: 'microsoft.compute/virtualmachines',
  node_pool: 'microsoft.compute/virtualmachinescalesets',
  volume: 'microsoft.compute/disks',
  network: 'microsoft.network/virtualnetworks',
  load_balancer: 'microsoft.network/loadbalancers microsoft.network/applicationgateways',
  gateway: 'microsoft.network/natgateways microsoft.network/virtualnetworkgateways',
  firewall: 'microsoft.network/azurefirewalls',
  cdn: 'microsoft.cdn/profiles',
  application: 'microsoft.web/sites',
  service_plan: 'microsoft.web/serverfarms',
  service: 'microsoft.app/containerapps',
  cluster: 'microsoft.app/managedenvironments',
  kubernetes_cluster: 'microsoft.containerservice/managedclusters',
  database:
    'microsoft.sql/servers microsoft.sql/servers/databases microsoft.sql/managedinstances microsoft.dbforpostgresql/flexibleservers microsoft.dbformysql/flexibleservers microsoft.documentdb/databaseaccounts',
  cache: 'microsoft.cache/redis microsoft.cache/redisenterprise',
  search: 'microsoft.search/searchservices',
  queue: 'microsoft.servicebus/namespaces',
  stream: 'microsoft.eventhub/namespaces',
  storage: 'microsoft.storage/storageaccounts',
  api_gateway: 'microsoft.apimanagement/service',
});

/** IDs of EC2 that are unique in all accounts; alarms name them without their ARN. */
const EC2_ID = /^[a-z]{1,8}-[0-9a-f]{8,17}$/;
export const awsKey = (id: string | null, arn: string | null): string | null =>
  id !== null && EC2_ID.test(id) ? id : (arn ?? id);
